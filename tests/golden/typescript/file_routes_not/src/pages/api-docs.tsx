export default function Docs() { return null; }
