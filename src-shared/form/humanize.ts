const ACRONYMS = new Map(
  [
    ...['API', 'AWS', 'CA', 'CDP', 'CLI', 'CSS', 'CSV', 'DB', 'DNS', 'GCP', 'HTML', 'HTTP'],
    ...['HTTPS'],
    ...['ID', 'IP', 'JSON', 'JWT', 'LLM', 'MCP', 'OAuth', 'OS', 'PDF', 'SQL', 'SSE', 'SSH', 'SSL'],
    ...['TLS', 'TTL', 'UI', 'URI', 'URL', 'UUID', 'XML', 'YAML', 'GitHub', 'GitLab'],
  ].map((word) => [word.toLowerCase(), word]),
)

/** Converts a technical name to words: `target_dir` becomes "Target dir", `API_KEY` becomes "API key". */
export function humanize(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ACRONYMS.get(word.toLowerCase()) ?? word.toLowerCase())
  const sentence = words.join(' ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
