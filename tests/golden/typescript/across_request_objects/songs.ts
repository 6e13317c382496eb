import { Http } from './http';

export class Songs {
  readonly http: Http;

  constructor(config: Config) {
    this.http = new Http(config);
  }

  one(id: string) {
    return this.http.get<Song>({ path: `songs/${id}` });
  }

  rename(id: string, title: string) {
    return this.http.put({
      path: `songs/${id}/title`,
      params: { title },
    });
  }
}
