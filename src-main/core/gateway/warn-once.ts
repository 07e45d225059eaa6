/** Logs a warning for a server; warnings with the same `fault` are logged once. */
export type WarnServer = (installationId: string, message: string, fault?: string) => void

/** Maximum number of reported faults per run: a server may keep causing new ones. */
const MAX_REPORTED = 1_000

/** Reports each fault of a server once. */
export function warnOnce(report: (installationId: string, message: string) => void): WarnServer {
  const reported = new Set<string>()
  return (installationId, message, fault = message) => {
    const key = `${installationId} ${fault}`
    if (reported.has(key) || reported.size >= MAX_REPORTED) return
    reported.add(key)
    report(installationId, message)
  }
}
