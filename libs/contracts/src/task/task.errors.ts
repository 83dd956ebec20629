import { defineErrors } from '../define/error.ts';

export const taskErrors = defineErrors('task', {
  createFailed: {
    status: 400,
    en_US: 'Task creation failed. No device matches.',
    zh_CN: '任务创建失败，没有匹配的设备。',
    ko: '작업을 만들지 못했습니다. 해당하는 장치가 없습니다.',
    pt_BR: 'Falha ao criar a tarefa. Nenhum dispositivo corresponde.',
  },
  notStoppable: {
    status: 409,
    en_US: 'The task has already ended.',
    zh_CN: '任务已结束。',
    ko: '이미 종료된 작업입니다.',
    pt_BR: 'A tarefa já terminou.',
  },
  notCancellable: {
    status: 409,
    en_US: 'The task has already started. Stop it instead.',
    zh_CN: '任务已开始，请改为停止。',
    ko: '이미 시작된 작업입니다. 대신 중지하세요.',
    pt_BR: 'A tarefa já começou. Pare-a em vez disso.',
  },
  partlySeen: {
    status: 403,
    en_US:
      'This task also has devices that you don’t see. Only the creator, or someone who sees all of them, can end it.',
    zh_CN: '此任务还包含您看不到的设备，只有创建者或能看到全部设备的人可以结束它。',
    ko: '이 작업에는 볼 수 없는 장치도 있습니다. 만든 사람이나 모든 장치를 볼 수 있는 사람만 끝낼 수 있습니다.',
    pt_BR: 'Esta tarefa também tem dispositivos que você não vê. Só quem a criou ou vê todos eles pode encerrá-la.',
  },
  paramsInvalid: {
    status: 400,
    en_US: 'The settings of this action are not valid.',
    zh_CN: '此操作的设置无效。',
    ko: '이 동작의 설정이 올바르지 않습니다.',
    pt_BR: 'As opções desta ação não são válidas.',
  },
});
