'use strict'
var x = require('x')
var y = require('y').parse
const { z, w: ww } = require('z')
exports = module.exports = create
module.exports.append = append
exports.b = b
exports.c = require('./c')
exports.d = x.d
exports.e = function (q) { return q }
module.exports.Route = Route
Object.defineProperty(exports, 'lazy', { get: function () { return require('./lazy') } })
function create () { return new Thing() }
function append () {}
function b () {}
function Route () {}
function Thing () {}
Thing.prototype.run = function () {}
Thing.prototype.go = require('y').go
x()
x.sub()
require('k').call1()
new x()
new x.Class()
var p = x()
p.m()
module.exports = { a, b: bb, c: require('./c'), d: function () {}, ...other }
function a () {}
function bb () {}
module.exports = class Foo extends Bar { run () {} }
Object.defineProperty(exports, 'lazy', { get: function () { return require('./lazy') } })
Object.defineProperty(exports, 'lazy2', { enumerable: true, get: function () { return require('./lazy2') } })
Object.defineProperty(module.exports, 'lazy3', { enumerable: true, get () { return require('./lazy3') } })
Object.defineProperty(exports, 'foo', { enumerable: true, get: function () { return m_1.foo } })
Object.defineProperty(exports, "__esModule", { value: true })
