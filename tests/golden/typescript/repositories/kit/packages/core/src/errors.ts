export class KitError extends Error {
  code = 1;
}
