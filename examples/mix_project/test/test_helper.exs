ExUnit.start(exclude: [:slow], assert_receive_timeout: 300)
