const LONGEST = 40

/** The name in lower case with `-` for what an id may not hold, and the first free number behind it where it is `taken`. */
export function agentIdFor(name: string, taken: ReadonlySet<string>): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = trimmed(plain.replace(/[^a-z0-9]+/gu, '-'), LONGEST) || 'agent'
  let agentId = slug
  // One of them is free: there are more tries than ids.
  for (let number = 2; taken.has(agentId); number += 1) {
    const tail = `-${String(number)}`
    agentId = trimmed(slug, LONGEST - tail.length) + tail
  }
  return agentId
}

function trimmed(slug: string, longest: number): string {
  return slug.replace(/^-+/u, '').slice(0, longest).replace(/-+$/u, '')
}
