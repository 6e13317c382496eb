import { HttpHandler, HttpInterceptor, HttpRequest } from '@angular/common/http';

// nobody provides it
export class UnusedInterceptor implements HttpInterceptor {
  intercept(req: HttpRequest<unknown>, next: HttpHandler) {
    return next.handle(req.clone({ url: 'https://unused.example.com' + req.url }));
  }
}

// it sends nothing elsewhere: the same host, safely; a page of the world; something that is no request
export class SafeInterceptor implements HttpInterceptor {
  intercept(req: HttpRequest<unknown>, next: HttpHandler) {
    const link = page.clone({ url: 'https://links.example.com' + page.url });
    if (req.url === '/login') {
      return next.handle(req.clone({ url: 'https://login.example.com/' }));
    }
    return next.handle(req.clone({ url: req.url.replace('http:', 'https:') }));
  }
}
