import { alarmKinds, languages, noticeTypes, type Language, type Text } from '@carillon/contracts';
import { errorText, isErrorKey, type ErrorKey } from '@carillon/contracts/errors';

interface MessageText {
  title: Text;
  content: Text;
}

/** Texts of messages by type (NOTE-06). Missing values become empty. */
const texts: Record<number, MessageText> = {
  [-5]: {
    title: {
      en_US: 'Basic service certificate expires',
      zh_CN: '基础服务证书即将到期',
      ko: '기본 서비스 인증서 만료 예정',
      pt_BR: 'O certificado do serviço básico vence',
    },
    content: {
      en_US: '{object} expires in {days} days. Renew it before then.',
      zh_CN: '{object} 将在 {days} 天后到期，请及时续期。',
      ko: '{object}이(가) {days}일 후 만료됩니다. 그 전에 갱신하세요.',
      pt_BR: '{object} vence em {days} dias. Renove antes disso.',
    },
  },
  [-4]: {
    title: {
      en_US: 'Value-added service certificate expires',
      zh_CN: '增值服务证书即将到期',
      ko: '부가 서비스 인증서 만료 예정',
      pt_BR: 'O certificado do serviço adicional vence',
    },
    content: {
      en_US: '{object} expires in {days} days. Renew it before then.',
      zh_CN: '{object} 将在 {days} 天后到期，请及时续期。',
      ko: '{object}이(가) {days}일 후 만료됩니다. 그 전에 갱신하세요.',
      pt_BR: '{object} vence em {days} dias. Renove antes disso.',
    },
  },
  [-3]: {
    title: {
      en_US: 'Device sync to FDPS failed',
      zh_CN: '设备同步到 FDPS 失败',
      ko: 'FDPS 장치 동기화 실패',
      pt_BR: 'Falha ao sincronizar dispositivos com o FDPS',
    },
    content: {
      en_US: '{object} was not synced. {reason}',
      zh_CN: '{object} 未能同步。{reason}',
      ko: '{object}을(를) 동기화하지 못했습니다. {reason}',
      pt_BR: '{object} não foi sincronizado. {reason}',
    },
  },
  [-2]: {
    title: {
      en_US: 'New firmware version',
      zh_CN: '有新的固件版本',
      ko: '새 펌웨어 버전',
      pt_BR: 'Nova versão de firmware',
    },
    content: {
      en_US: 'Version {version} is available for {object}.',
      zh_CN: '{object} 有新版本 {version}。',
      ko: '{object}용 새 버전 {version}이(가) 있습니다.',
      pt_BR: 'A versão {version} está disponível para {object}.',
    },
  },
  0: {
    title: {
      en_US: 'Account registration failed',
      zh_CN: '账号注册失败',
      ko: '계정 등록 실패',
      pt_BR: 'Falha no registro da conta',
    },
    content: {
      en_US: 'Account {account} of {object} can’t register.',
      zh_CN: '{object} 的账号 {account} 无法注册。',
      ko: '{object}의 계정 {account}을(를) 등록할 수 없습니다.',
      pt_BR: 'A conta {account} de {object} não consegue se registrar.',
    },
  },
  2: {
    title: {
      en_US: 'Cloud storage is low or full',
      zh_CN: '云存储空间不足或已满',
      ko: '클라우드 저장 공간 부족 또는 가득 참',
      pt_BR: 'Armazenamento em nuvem quase cheio ou cheio',
    },
    content: {
      en_US: '{percent}% is used. Delete what you don’t need.',
      zh_CN: '已使用 {percent}%，请删除不需要的内容。',
      ko: '{percent}% 사용 중입니다. 필요 없는 항목을 삭제하세요.',
      pt_BR: '{percent}% em uso. Exclua o que não for necessário.',
    },
  },
  3: {
    title: { en_US: 'Factory reset', zh_CN: '恢复出厂设置', ko: '공장 초기화', pt_BR: 'Restauração de fábrica' },
    content: {
      en_US: '{object} was reset to factory settings.',
      zh_CN: '{object} 已恢复出厂设置。',
      ko: '{object}이(가) 공장 설정으로 초기화되었습니다.',
      pt_BR: '{object} voltou às configurações de fábrica.',
    },
  },
  4: {
    title: { en_US: 'Device reboot', zh_CN: '设备重启', ko: '장치 재부팅', pt_BR: 'Dispositivo reiniciado' },
    content: {
      en_US: '{object} rebooted.',
      zh_CN: '{object} 已重启。',
      ko: '{object}이(가) 재부팅되었습니다.',
      pt_BR: '{object} reiniciou.',
    },
  },
  5: {
    title: { en_US: 'Task failed', zh_CN: '任务执行失败', ko: '작업 실행 실패', pt_BR: 'Falha na tarefa' },
    content: {
      en_US: 'Task {object}: {count} of {total} devices did not finish it.',
      zh_CN: '任务 {object}：{total} 台设备中有 {count} 台未完成。',
      ko: '작업 {object}: 장치 {total}대 중 {count}대가 완료하지 못했습니다.',
      pt_BR: 'Tarefa {object}: {count} de {total} dispositivos não a concluíram.',
    },
  },
  6: {
    title: { en_US: 'Device offline', zh_CN: '设备离线', ko: '장치 오프라인', pt_BR: 'Dispositivo offline' },
    content: {
      en_US: '{object} is offline.',
      zh_CN: '{object} 已离线。',
      ko: '{object}이(가) 오프라인입니다.',
      pt_BR: '{object} está offline.',
    },
  },
  7: {
    title: {
      en_US: 'Configuration drifted',
      zh_CN: '配置偏离',
      ko: '설정 이탈',
      pt_BR: 'Configuração divergente',
    },
    content: {
      en_US: '{object} doesn’t have its configuration.',
      zh_CN: '{object} 没有应有的配置。',
      ko: '{object}에 지정된 설정이 없습니다.',
      pt_BR: '{object} não está com a sua configuração.',
    },
  },
  9: {
    title: { en_US: 'Tamper alarm', zh_CN: '防拆报警', ko: '변조 경보', pt_BR: 'Alarme de violação' },
    content: {
      en_US: '{object} reports tampering.',
      zh_CN: '{object} 报告被拆动。',
      ko: '{object}에서 변조가 감지되었습니다.',
      pt_BR: '{object} relata uma violação.',
    },
  },
};

/** Text of any other kind of 0 or more (NOTE-06). */
const firmwareUpdate: MessageText = {
  title: { en_US: 'Firmware update', zh_CN: '固件更新', ko: '펌웨어 업데이트', pt_BR: 'Atualização de firmware' },
  content: {
    en_US: '{object} has version {version} now.',
    zh_CN: '{object} 当前版本为 {version}。',
    ko: '{object}의 버전이 {version}이(가) 되었습니다.',
    pt_BR: '{object} agora tem a versão {version}.',
  },
};

/** Texts for several devices in one line. */
const ofSeveral: Record<number, Text> = {
  0: {
    en_US: 'Accounts of {count} devices can’t register.',
    zh_CN: '{count} 台设备的账号无法注册。',
    ko: '장치 {count}대의 계정을 등록할 수 없습니다.',
    pt_BR: 'Contas de {count} dispositivos não conseguem se registrar.',
  },
  3: {
    en_US: '{count} devices were reset to factory settings.',
    zh_CN: '{count} 台设备已恢复出厂设置。',
    ko: '장치 {count}대가 공장 설정으로 초기화되었습니다.',
    pt_BR: '{count} dispositivos voltaram às configurações de fábrica.',
  },
  4: {
    en_US: '{count} devices rebooted.',
    zh_CN: '{count} 台设备已重启。',
    ko: '장치 {count}대가 재부팅되었습니다.',
    pt_BR: '{count} dispositivos reiniciaram.',
  },
  6: {
    en_US: '{count} devices are offline.',
    zh_CN: '{count} 台设备已离线。',
    ko: '장치 {count}대가 오프라인입니다.',
    pt_BR: '{count} dispositivos estão offline.',
  },
  7: {
    en_US: '{count} devices don’t have their configuration.',
    zh_CN: '{count} 台设备没有应有的配置。',
    ko: '장치 {count}대에 지정된 설정이 없습니다.',
    pt_BR: '{count} dispositivos não estão com a sua configuração.',
  },
  9: {
    en_US: '{count} devices report tampering.',
    zh_CN: '{count} 台设备报告被拆动。',
    ko: '장치 {count}대에서 변조가 감지되었습니다.',
    pt_BR: '{count} dispositivos relatam uma violação.',
  },
};
const firmwareOfSeveral: Text = {
  en_US: '{count} devices have another firmware version now.',
  zh_CN: '{count} 台设备的固件版本已变更。',
  ko: '장치 {count}대의 펌웨어 버전이 바뀌었습니다.',
  pt_BR: '{count} dispositivos agora têm outra versão de firmware.',
};

/** A task that paused because its changed devices fare worse than the rest. */
const unwellTask: Text = {
  en_US: 'Task {object} paused: {unwell} of {total} changed devices fare badly.',
  zh_CN: '任务 {object} 已暂停：{total} 台已变更设备中有 {unwell} 台状态异常。',
  ko: '작업 {object} 일시 중지: 변경된 장치 {total}대 중 {unwell}대의 상태가 나쁩니다.',
  pt_BR: 'Tarefa {object} pausada: {unwell} de {total} dispositivos alterados estão mal.',
};

/** A task that paused because its window ended before its last stage began. */
const unfinishedTask: Text = {
  en_US: 'Task {object} paused: its time ended before the last stage. {done} of {total} devices succeeded so far.',
  zh_CN: '任务 {object} 已暂停：时限在最后阶段之前已到。目前 {total} 台设备中有 {done} 台成功。',
  ko: '작업 {object} 일시 중지: 마지막 단계 전에 시간이 끝났습니다. 지금까지 장치 {total}대 중 {done}대가 성공했습니다.',
  pt_BR:
    'Tarefa {object} pausada: o tempo acabou antes da última etapa. Até agora, {done} de {total} dispositivos concluíram.',
};

/** A device that the redirect service of its maker did not take. */
const redirected: MessageText = {
  title: {
    en_US: 'Device sync to {service} failed',
    zh_CN: '设备同步到 {service} 失败',
    ko: '{service} 장치 동기화 실패',
    pt_BR: 'Falha ao sincronizar dispositivo com {service}',
  },
  content: {
    en_US: '{object} was not synced to {service}. {reason}',
    zh_CN: '{object} 未能同步到 {service}。{reason}',
    ko: '{object}을(를) {service}에 동기화하지 못했습니다. {reason}',
    pt_BR: '{object} não foi sincronizado com {service}. {reason}',
  },
};
/** Returns that text with the service, and with its fault in each language. */
function redirectedWith({ service, fault, ...values }: Record<string, unknown>): MessageText {
  const reason = (language: Language): string =>
    isErrorKey(String(fault)) ? errorText(fault as ErrorKey, language, values) : '';
  const filled = (text: Text): Text =>
    Object.fromEntries(
      languages.map((l) => [
        l,
        text[l].replace('{service}', () => String(service)).replace('{reason}', () => reason(l)),
      ]),
    ) as Record<Language, string>;
  return { title: filled(redirected.title), content: filled(redirected.content) };
}
/** Follows the text of a message whose cause is over. */
const over: Text = {
  en_US: 'This no longer applies.',
  zh_CN: '此情况已不再存在。',
  ko: '더 이상 해당되지 않습니다.',
  pt_BR: 'Isto não se aplica mais.',
};

const nameKey = (language: Language) => `object_${language}`;
/** Returns the name of a message's object for a reader: the product's own names are in every language. */
export const objectNameIn = <Name extends string | null>(
  language: Language,
  name: Name,
  values: Readonly<Record<string, unknown>>,
): Name | string => (nameKey(language) in values ? String(values[nameKey(language)]) : name);
/** Returns the values of a message without the names of its object. */
export const figuresOf = <V>(values: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !languages.some((l) => key === nameKey(l))));
const withOwnName = (text: Text, values: Record<string, unknown>): Text =>
  Object.fromEntries(
    languages.map((l) => [l, nameKey(l) in values ? text[l].replace('{object}', `{${nameKey(l)}}`) : text[l]]),
  ) as Record<Language, string>;

/** Returns the texts of a type with placeholders; the given values select the variant. */
export const wordsOf = (type: number, devices = 1, values: Record<string, unknown> = {}): MessageText => {
  const { title, content } = variantOf(type, devices, values);
  return { title: withOwnName(title, values), content: withOwnName(content, values) };
};

function variantOf(type: number, devices: number, values: Record<string, unknown>): MessageText {
  const found = texts[type] ?? firmwareUpdate;
  if (type === alarmKinds.taskFailed && 'unwell' in values) return { ...found, content: unwellTask };
  if (type === alarmKinds.taskFailed && 'done' in values) return { ...found, content: unfinishedTask };
  if (type === noticeTypes.sync && 'service' in values) return redirectedWith(values);
  return devices > 1 ? { ...found, content: ofSeveral[type] ?? firmwareOfSeveral } : found;
}

export function textOf(
  type: number,
  language: Language,
  values: Record<string, string | number | null> = {},
  devices = 1,
  isEnded = false,
): { title: string; content: string } {
  const found = wordsOf(type, devices, values);
  const fill = (text: string): string =>
    text
      .replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
      .replace(/\s{2,}/g, ' ')
      .trim();
  return {
    title: fill(found.title[language]),
    content: fill(isEnded ? `${found.content[language]} ${over[language]}` : found.content[language]),
  };
}
