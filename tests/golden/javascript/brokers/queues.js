module.exports = { VOTES: 'votes', EMAILS: 'emails' };
