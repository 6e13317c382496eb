$('#a').get('/0');
$.getter('/x');
const $form = { post: () => 1 };
$form.post('/y');
$('.b').load(() => 1);
_.get(x, '/z');
