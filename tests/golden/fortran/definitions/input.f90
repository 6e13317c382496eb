module shop
  implicit none
  type order
    integer :: id
  end type order
contains
  ! Adds.
  function add(a, b) result(c)
    integer :: a, b, c
    c = a + b
  end function add

  subroutine show(x)
    integer :: x
  end subroutine show
end module shop
