import { messageOf } from '../failure/describe-failure'

/** A trouble that may last: who hears of it is told when it begins and when it is over, not each time that it shows. */
export class ErrorLatch {
  #isThere = false

  /** `onTrouble` hears a sentence, and undefined when it is over. */
  constructor(private readonly onTrouble: (message: string | undefined) => void) {}

  get isThere(): boolean {
    return this.#isThere
  }

  /** What is wrong now; undefined where all is well. */
  tell(message: string | undefined): void {
    const isThere = message !== undefined
    if (isThere === this.#isThere) return
    this.#isThere = isThere
    this.onTrouble(message)
  }

  /** Does `work`; false where it throws, which is reported as `message` with the reason. */
  attempt(message: string, work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.tell(`${message} (${messageOf(error)}).`)
      return false
    }
  }
}
