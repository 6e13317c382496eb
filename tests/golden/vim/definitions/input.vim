" Adds.
function! shop#add(a, b) abort
  return a:a + a:b
endfunction

function s:secret()
endfunction

let g:limit = 3
command! Show call s:secret()
