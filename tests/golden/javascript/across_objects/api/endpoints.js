module.exports = { customersUrl: "http://user/customers" };
