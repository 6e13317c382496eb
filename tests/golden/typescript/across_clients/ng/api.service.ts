import { environment } from './environment';
import { HttpClient } from '@angular/common/http';
@Injectable()
export class ApiService {
  constructor(private http: HttpClient) {}
  get(path: string, params = {}): Observable<any> { return this.http.get(`${environment.apiUrl}${path}`, { params }); }
  delete(path): Observable<any> { return this.http.delete(`${environment.apiUrl}${path}`); }
}
