module.exports = { USERS: process.env.USERS_URL || 'http://users:3000' };
