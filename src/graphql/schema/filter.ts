import { builder } from '../builder.ts';

const FilterMatch = builder.inputType('FilterMatch', {
  isOneOf: true,
  description: 'What a metadata field must be. Exactly one kind of match is given.',
  fields: (t) => ({
    value: t.field({
      type: 'FilterValue',
      description: 'The field equals this value, including its type.',
    }),
  }),
});

export const FilterInput = builder.inputType('FilterInput', {
  description: 'Matches by a metadata field.',
  fields: (t) => ({
    key: t.string({
      required: true,
      description: 'The name of a metadata field, such as `fileId`.',
    }),
    match: t.field({
      type: FilterMatch,
      required: true,
      description: 'What the field must be.',
    }),
  }),
});
