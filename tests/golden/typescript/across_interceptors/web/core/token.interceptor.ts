import { HttpHandler, HttpInterceptor, HttpRequest } from '@angular/common/http';

export class TokenInterceptor implements HttpInterceptor {
  intercept(request: HttpRequest<unknown>, next: HttpHandler) {
    return next.handle(request.clone({ setHeaders: { Authorization: token() } }));
  }
}
