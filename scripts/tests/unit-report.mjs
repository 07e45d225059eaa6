// A Vitest reporter: writes each test's result, and errors outside tests, to the file in PATCHBAY_UNIT_REPORT.
import { writeFileSync } from 'node:fs'

export default class UnitReport {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map(resultOf))
    const defects = [
      ...modules.flatMap((module) => [
        ...defectsOf(`${module.relativeModuleId} could not be read`, module.errors()),
        ...[...module.children.allSuites()].flatMap((suite) =>
          defectsOf(`${module.relativeModuleId}, ${suite.fullName}: a hook failed`, suite.errors()),
        ),
      ]),
      ...defectsOf('An error that no test handled', unhandledErrors),
    ]
    writeFileSync(process.env.PATCHBAY_UNIT_REPORT, JSON.stringify({ tests, defects }))
  }
}

function resultOf(test) {
  const { state, errors = [], note } = test.result()
  return {
    file: test.module.relativeModuleId,
    title: test.fullName,
    status: state === 'passed' || state === 'failed' ? state : 'skipped',
    errors: errors.map(wordsOf),
    ...(note === undefined ? {} : { reason: note }),
  }
}

function defectsOf(what, errors) {
  return errors.map((error) => `${what}: ${wordsOf(error)}`)
}

function wordsOf({ stack, message, name }) {
  return stack ?? `${name ?? 'Error'}: ${message}`
}
