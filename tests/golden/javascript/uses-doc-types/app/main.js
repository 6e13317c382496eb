const { Router } = require('acme-router')

/**
 * @param {?Router} router
 * @param {Object} options
 */
function mount(router, options) {
  router.route('/').all()
  options.route('/')
}
