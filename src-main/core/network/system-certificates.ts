import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const CODE = `
const { parentPort } = require('node:worker_threads')
const { getCACertificates } = require('node:tls')
parentPort.postMessage(getCACertificates('system'))`

/**
 * The certificates that the system trusts, as PEM. The stores of macOS and Windows can take two seconds, for which a window of
 * Electron would stand still on the main thread: a worker reads them.
 */
export async function readSystemCertificates(): Promise<readonly string[]> {
  const worker = new Worker(CODE, { eval: true })
  try {
    // Rejects with the error of a worker that fails.
    const [certificates] = (await once(worker, 'message')) as [readonly string[]]
    return certificates
  } finally {
    await worker.terminate()
  }
}
