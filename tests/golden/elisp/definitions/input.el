;; Adds.
(defun shop-add (a b)
  "Add A and B."
  (+ a b))

(defvar shop-limit 3)
(defcustom shop-name "x" "Name." :type 'string)
(defmacro shop-twice (x)
  `(+ ,x ,x))
