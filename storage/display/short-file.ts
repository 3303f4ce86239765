/**
 * The folder of an environment's code, with that of its modules. Parts are limited, so that long hostile texts take time in
 * proportion to their length.
 */
export const CODE_FOLDER =
  /(?:[A-Za-z]:)?(?:[\\/][\w.-]{1,64}){0,8}[\\/]environments[\\/][\w.-]{1,64}[\\/](?:(?:modules|site|site-modules|dist)[\\/])?/g;

/** A file without the folder of the environment: `nginx/manifests/init.pp`. */
export function shortFile(file: string): string {
  return file.replace(CODE_FOLDER, "");
}
