import { defineErrors } from '../define/error.ts';

export const viewErrors = defineErrors('view', {
  nameTaken: {
    status: 409,
    en_US: 'You already have a view with this name.',
    zh_CN: '您已有同名视图。',
    ko: '같은 이름의 보기가 이미 있습니다.',
    pt_BR: 'Você já tem uma visão com este nome.',
  },
  tooMany: {
    status: 409,
    en_US: 'At most {count} views of a list can be saved. Delete one first.',
    zh_CN: '每个列表最多保存 {count} 个视图。请先删除一个。',
    ko: '목록당 보기는 최대 {count}개까지 저장할 수 있습니다. 먼저 하나를 삭제하세요.',
    pt_BR: 'É possível salvar no máximo {count} visões de uma lista. Exclua uma antes.',
  },
});
