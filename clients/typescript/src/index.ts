export * from "./api.js";
export { Client, RazaoError, todos } from "./client.js";
