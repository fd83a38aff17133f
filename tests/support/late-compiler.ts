/**
 * An argument of Node. Most processes of the tests live for seconds: to optimise functions as soon as in a server that
 * runs for weeks took a tenth of the processor time. V8's default is 67,584 (bytes of executed bytecode).
 */
export const LATE_COMPILER = '--interrupt-budget=1000000'
