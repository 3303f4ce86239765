/** Style sheets are collected into one file by the bundler. */
declare module "*.css";
