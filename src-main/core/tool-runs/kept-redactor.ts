import { NO_REDACTOR, type Redactor, redactorOfForms } from '../masking/redact'

/** Masks all that was a secret of a server whenever it was looked at, also once that server is gone. */
export class KeptRedactor {
  #latest: Redactor | undefined
  #all = NO_REDACTOR

  /** `latest`: masks what is a secret now; undefined where the server is gone. */
  constructor(private readonly latest: () => Redactor | undefined) {
    this.look()
  }

  /** What masks by now; that of the server itself, unless it masked more before. */
  look(): Redactor {
    const latest = this.latest()
    if (!latest || latest === this.#latest) return this.#all
    this.#latest = latest
    const forms = new Set([...latest.forms, ...this.#all.forms])
    this.#all = forms.size > latest.forms.length ? redactorOfForms(forms) : latest
    return this.#all
  }
}
