export const loader = () => users();
