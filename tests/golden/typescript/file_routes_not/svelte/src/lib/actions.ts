export const actions = { add: () => ({ type: 'add' }) };
