// Stands for @duckdb/node-bindings in the packaged program. CommonJS: what it exports is not known before it runs.
module.exports = require("./native-library.ts").binding();
