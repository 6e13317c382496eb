; Adds two.
(define (add a b)
  (+ a b))

(define total
  (lambda (xs) (apply + xs)))

(define-syntax twice
  (syntax-rules ()
    ((_ form) (begin form form))))
