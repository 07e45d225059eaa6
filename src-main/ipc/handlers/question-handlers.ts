import { AppError } from '../../../src-shared/domain/app-error'
import type { InstallationService } from '../../core/installation/installation-service'
import type { Questions } from '../../core/questions/questions'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { Handlers } from '../answer'

export type QuestionParts = {
  readonly installations: InstallationService
  readonly questions: Questions
  readonly servers: ServerDirectory
  /** Opens a page in the browser of the system; missing where the page of the app does that itself. */
  readonly openExternal?: ((address: string) => Promise<void>) | undefined
}

/** Answers what concerns questions of servers and agents to the person. */
export function questionHandlers({
  installations,
  questions,
  servers,
  openExternal,
}: QuestionParts): Pick<Handlers, Extract<keyof Handlers, `question.${string}` | 'roots.set'>> {
  return {
    'question.answer': ({ questionId, answer }) => questions.answer(questionId, answer),
    'question.argument': ({ questionId, at }) => questions.argumentOf(questionId, at),
    'question.openPage': async ({ questionId }) => {
      const url = questions.pageOf(questionId)
      if (!openExternal) return noBrowser()
      await openExternal(url).catch(noBrowser)
    },
    'roots.set': async ({ installationId, roots }) => {
      await installations.setRoots(installationId, roots)
      servers.find(installationId)?.serverRequests?.rootsChanged()
    },
  }
}

function noBrowser(cause?: unknown): never {
  throw new AppError('NOT_AVAILABLE_HERE', 'Can’t open a browser from here.', {
    cause,
    hint: 'Set a default browser in the system, then try again.',
  })
}
