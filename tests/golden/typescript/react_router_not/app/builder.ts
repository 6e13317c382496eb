export const route = (path: string, file: string) => ({ path, file });
export const index = (file: string) => ({ path: '', file });
export function loader() { return null; }
