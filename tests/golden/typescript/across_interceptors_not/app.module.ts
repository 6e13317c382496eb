import { HTTP_INTERCEPTORS } from '@angular/common/http';
import { SafeInterceptor, UnusedInterceptor } from './interceptor';

export const providers = [
  { provide: HTTP_INTERCEPTORS, useClass: SafeInterceptor, multi: true },
  { provide: LINKS, useClass: UnusedInterceptor, multi: true },
];
