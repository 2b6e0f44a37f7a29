import fc from 'fast-check';

/** What a property does not find in a second, it does not find for a mutant: there are hundreds. */
fc.configureGlobal({ interruptAfterTimeLimit: 1_000, markInterruptAsFailure: false });
