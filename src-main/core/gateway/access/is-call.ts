import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** A notification, or an answer to the gateway, is short; what is longer is not read for this. */
const LONGEST_OTHER = 64 * 1024

/** Whether the body may ask for something: false for notifications and answers, which end what is under way and must get through. */
export function isCall(body: Buffer): boolean {
  if (body.length > LONGEST_OTHER) return true
  try {
    const message: unknown = JSON.parse(body.toString())
    return !isJsonObject(message) || ('method' in message && 'id' in message)
  } catch {
    return true // whoever parses it in earnest tells what is wrong with it
  }
}
