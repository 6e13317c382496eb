import axios from 'axios';

export default abstract class Service {
  http = axios.create({ baseURL: '/music/' });
  routes: Routes = { one: '', add: '' };

  constructor(routes: Partial<Routes> = {}) {
    Object.assign(this.routes, routes);
  }

  fill(route: string, values: Values): string {
    return Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), route);
  }

  one(values: Values) {
    return this.http.get(this.fill(this.routes.one, values));
  }

  add(values: Values) {
    return this.http.post(this.fill(this.routes.add, values));
  }
}
