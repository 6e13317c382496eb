exports.SAVE = '/dispatched/save';
