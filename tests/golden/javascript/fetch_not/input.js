const prefetch = (x) => x;
prefetch('/not');
store.fetch({ id: 1 });
this.collection.fetch('/model');
const fetchUsers = () => 1;
fetchUsers('/users');
fetch(new URL('./module.wasm', import.meta.url));
fetch('data:text/plain,x');
