import { NO_REDACTOR, type Redactor, redactorOfForms } from '../masking/redact'

/** Forms of secrets that are known of one server at a time; where more become known, its messages are forgotten. */
const MOST_FORMS = 4_000

/**
 * What is masked in the messages of one server: all that was a secret of it while any of them was held. A secret that was
 * changed since still stands in what was said before.
 */
export class KnownSecrets {
  readonly #forms = new Set<string>()
  #redactor: Redactor = NO_REDACTOR
  #latest: Redactor | undefined

  /** `onTooMany`: what was masked with those of before is to be forgotten. */
  constructor(private readonly onTooMany: () => void) {}

  /** Masks what is known, and what `latest` masks. */
  with(latest: Redactor): Redactor {
    if (latest === this.#latest) return this.#redactor
    this.#latest = latest
    const before = this.#forms.size
    for (const form of latest.forms) this.#forms.add(form)
    if (this.#forms.size > MOST_FORMS) this.#beginAnew(latest)
    else if (this.#forms.size === before) return this.#redactor
    this.#redactor = redactorOfForms(this.#forms)
    return this.#redactor
  }

  #beginAnew(latest: Redactor): void {
    this.#forms.clear()
    for (const form of latest.forms) this.#forms.add(form)
    this.onTooMany()
  }
}
