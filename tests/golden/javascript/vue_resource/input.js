import Vue from 'vue';
import VueResource from 'vue-resource';
Vue.use(VueResource);
export default {
  methods: {
    load() { this.$http.get('/api/items').then((r) => r); },
    save(x) { return this.$http.put(`/api/items/${x.id}`, x); },
    all() { return Vue.http.post('/api/all'); },
    res() { return this.$resource('/api/things{/id}').get({ id: 1 }); },
  },
};
