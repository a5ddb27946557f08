<?php
// Opens the hosted journey for a signed-in customer: GET /insurance gets a token, opens a session and answers 303.
// If a call fails, the customer reads when to try again, and your log has the status and the request id.
// Put it behind your own sign-in, take user_id from there, and prevent prefetching: each call uses a token.
// PHP 8.1 or later with its curl extension: php -S 127.0.0.1:3000 insurance.php
// Settings are in the environment: README.md lists them.
function post(string $path, array $body, string ...$headers): array {
    $curl = curl_init(getenv('INSURANCE_API') . $path);
    curl_setopt_array($curl, [CURLOPT_POSTFIELDS => json_encode((object) $body), CURLOPT_TIMEOUT => 10,
        CURLOPT_HTTPHEADER => ['Content-Type: application/json', ...$headers],
        CURLOPT_HEADER => true, CURLOPT_RETURNTRANSFER => true]);
    $text = (string) curl_exec($curl);
    ['http_code' => $status, 'header_size' => $size] = curl_getinfo($curl);
    $answer = json_decode(substr($text, $size), true);
    if (in_array($status, [200, 201]) && is_array($answer)) return $answer;
    preg_match('/^x-request-id: (\S+)/mi', $text, $request);
    preg_match('/^retry-after: (\d+)/mi', $text, $wait);
    error_log("covernote: $status, request " . ($request[1] ?? '-'));
    http_response_code(503);
    header('Retry-After: ' . ($wait[1] ?? 300));
    exit('Insurance cannot be opened now. Please try again in ' . ceil(($wait[1] ?? 300) / 60) . ' min.');
}

header('Content-Type: text/plain; charset=utf-8');
header('Cache-Control: no-store');
header('Referrer-Policy: no-referrer');
$asked = $_SERVER['REQUEST_METHOD'] . ' ' . strtok($_SERVER['REQUEST_URI'], '?');
if ($asked !== 'GET /insurance') exit(http_response_code(404));
$user_id = 'user-42'; // who is signed in, from your own session
$token = post('/v1/auth/token', ['client_id' => getenv('INSURANCE_CLIENT_ID'), 'user_id' => $user_id,
    'client_secret' => getenv('INSURANCE_CLIENT_SECRET'), 'scopes' => ['business.session']])['payload']['access_token'];
$session_id = post('/v1/business/session', [], "Authorization: Bearer $token")['session_id'];
// Store $session_id with $user_id here.
$query = http_build_query(array_filter(['session_token' => $token, 'session_id' => $session_id,
    'return_url' => getenv('INSURANCE_RETURN')]));
header('Location: ' . getenv('INSURANCE_JOURNEY') . "/health?$query", true, 303);
