import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { toErrorShape } from '../../../ipc/call'

/** The newest answer; the last good preview stays while a newer one is on its way or failed. */
type PreviewState = {
  readonly preview: LaunchPreview | null
  /** An answer came, which may be that there is nothing to show yet. */
  readonly isAnswered: boolean
  readonly problem: AppErrorShape | null
}

const DEBOUNCE_MS = 120

/**
 * The command that a form makes: asked for when typing rests, never answered by a late answer. `ask` gets what
 * `ask` and `refresh` of the board are called with.
 */
export class PreviewBoard<
  Question,
  Answer extends LaunchPreview | null = LaunchPreview,
> implements Disposable {
  readonly state: StoreApi<PreviewState> = createStore<PreviewState>(() => ({
    preview: null,
    isAnswered: false,
    problem: null,
  }))
  readonly #ask: (question: Question) => Promise<Answer>
  #newest = 0
  #asked = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ask: (question: Question) => Promise<Answer>) {
    this.#ask = ask
  }

  /** Asks soon, the first time at once; the same question again asks nothing. */
  ask(read: () => Question): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#send(read()), this.#asked === '' ? 0 : DEBOUNCE_MS)
  }

  /** Asks at once, for an answer that is acted upon; rejects with an `AppError`. */
  async refresh(question: Question): Promise<Answer> {
    this.#newest += 1
    const mine = this.#newest
    // Whatever it becomes, what is typed next is another question.
    this.#asked = ''
    const preview = await this.#ask(question)
    if (mine === this.#newest) this.state.setState({ preview, isAnswered: true, problem: null })
    return preview
  }

  /** Forgets what is under way; the board can be asked again. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#newest += 1
    this.#asked = ''
  }

  #send(question: Question): void {
    const text = JSON.stringify(question)
    if (text === this.#asked) return
    this.#asked = text
    this.#newest += 1
    const mine = this.#newest
    this.#ask(question).then(
      (preview) => {
        if (mine === this.#newest) this.state.setState({ preview, isAnswered: true, problem: null })
      },
      (thrown: unknown) => {
        if (mine === this.#newest) this.state.setState({ problem: toErrorShape(thrown) })
      },
    )
  }
}
