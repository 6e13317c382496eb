export const actions = {
  default: async ({ request }) => login(await request.formData()),
};
