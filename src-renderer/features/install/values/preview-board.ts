import { type QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query'
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
 * The command that a form makes: asked for when typing rests, and drawn by who looks at `state` alone. `ask` gets what
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
  readonly #queries: QueryClient
  readonly #ask: (question: Question) => Promise<Answer>
  /** Tells its questions from those of other forms. */
  readonly #name = crypto.randomUUID()
  #observer: QueryObserver<Answer> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(queries: QueryClient, ask: (question: Question) => Promise<Answer>) {
    this.#queries = queries
    this.#ask = ask
  }

  /** Asks soon, the first time at once; the same question again asks nothing. */
  ask(read: () => Question): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(read()), this.#observer ? DEBOUNCE_MS : 0)
  }

  /** Asks at once and again, for an answer that is acted upon; rejects with an `AppError`. */
  async refresh(question: Question): Promise<Answer> {
    clearTimeout(this.#timer)
    const query = this.#queryOf(question)
    await this.#queries.cancelQueries({ queryKey: query.queryKey })
    const answer = this.#queries.query({ ...query, staleTime: 0 })
    this.#look(question)
    return await answer
  }

  /** Forgets what is under way; the board can be asked again. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#observer?.destroy()
    this.#observer = undefined
  }

  #queryOf(question: Question) {
    return {
      queryKey: ['preview', this.#name, question],
      queryFn: () => this.#ask(question),
      staleTime: Infinity,
      // What is typed once more is asked for once more.
      gcTime: 0,
    } satisfies QueryObserverOptions<Answer>
  }

  #look(question: Question): void {
    const query = this.#queryOf(question)
    if (this.#observer) {
      this.#observer.setOptions(query)
      return
    }
    this.#observer = new QueryObserver<Answer>(this.#queries, query)
    this.#observer.subscribe(({ data: preview, error }) => {
      if (preview !== undefined) this.state.setState({ preview, isAnswered: true, problem: null })
      else if (error) this.state.setState({ problem: toErrorShape(error) })
    })
  }
}
