import { provideHttpClient, withInterceptors } from '@angular/common/http';
import { interceptors } from './interceptors';

export const appConfig = {
  providers: [provideHttpClient(withInterceptors(interceptors))],
};
