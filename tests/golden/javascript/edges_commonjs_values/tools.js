const tools = {
  cut(text) {
    return text;
  },
};

module.exports = tools;
