const PASSWORD = /\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/giu

/** The passwords that stand in addresses of an environment (a proxy, a private package index), as they are and decoded. */
export function addressPasswords(env: Readonly<Record<string, string>>): string[] {
  const written = Object.values(env).flatMap((value) =>
    [...value.matchAll(PASSWORD)].map(([, password = '']) => password),
  )
  return [...new Set(written.flatMap((password) => [password, decoded(password)]))]
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password // it holds a percent sign of its own
  }
}
