// Stands for packages that are loaded along with what needs them, and of which nothing is ever called here.
module.exports = {};
