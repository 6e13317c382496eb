const base = "http://shop";

function joined(...parts: string[]): string {
  return parts.join("/");
}

function url(realm: string, ...parts: string[]): string {
  parts = [base, "realms", realm, ...parts];
  return joined(...parts);
}

function plain(...parts: string[]): string {
  const s = base + "/" + joined(...parts);
  parts = ["late", ...parts];
  console.log(parts.length);
  return s;
}

export const users = (realm: string) => fetch(url(realm, "users"));
export const user = (realm: string, id: string) => fetch(url(realm, "users", id));
export const info = () => fetch(plain("server", "info"));
