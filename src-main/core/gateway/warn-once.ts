/** Puts a warning into the log of a server; `fault` is the same for two warnings of which one is enough. */
export type WarnServer = (installationId: string, message: string, fault?: string) => void

/** Faults that are reported in one run: a server may have others all the time. */
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
