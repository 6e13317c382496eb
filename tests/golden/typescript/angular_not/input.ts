import { HttpBackend, HttpHeaders, HttpParams } from '@angular/common/http';
import { http } from 'msw';
import { Http } from './transport';

@Injectable()
export class Settings {
  private http = new Map<string, string>();
  constructor(private headers: HttpHeaders, private params: HttpParams, private store: Http) {}

  all(form: FormGroup) {
    this.http.get('/nothing');
    this.http.delete('/nothing');
    this.headers.get('/nothing');
    this.params.delete('/nothing');
    this.store.get('/nothing');
    form.get('/nothing');
    this.injector.get('/nothing');
    this.translate.get('/nothing');
    http.get('/nothing', () => null);
  }
}
