;; Adds two.
(defun add (a b)
  (+ a b))

(defmacro twice (form)
  `(progn ,form ,form))

(defvar *total* 0)
(defconstant +most+ 10)

(defstruct point x y)
(defclass shop () ())
